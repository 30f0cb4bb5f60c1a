// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { L1BlockJovian } from "./L1BlockJovian.sol";

/// @title L1Block from karst on: that of jovian, deployed anew as the fork does
contract L1BlockKarst is L1BlockJovian {
    function version() external pure override returns (string memory) {
        return "1.8.0-devnet";
    }
}
