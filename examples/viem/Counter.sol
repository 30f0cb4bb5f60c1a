// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Counter {
    uint256 public number;

    function add(uint256 by) external {
        number += by;
    }
}
