// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { GasPriceOracleJovian } from "./GasPriceOracleJovian.sol";

/// @title GasPriceOracle from karst on: that of jovian, deployed anew as the fork does
contract GasPriceOracleKarst is GasPriceOracleJovian {
    function version() external pure override returns (string memory) {
        return "1.7.0-devnet";
    }
}
