// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Counter {
    event Added(uint256 number);

    uint256 public number;

    function add(uint256 by) external {
        number += by;
        emit Added(number);
    }
}
