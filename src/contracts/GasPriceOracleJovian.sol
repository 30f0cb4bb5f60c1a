// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { GasPriceOracle } from "./GasPriceOracle.sol";

/// @title GasPriceOracle from jovian on
contract GasPriceOracleJovian is GasPriceOracle {
    bool public isJovian;

    function version() external pure virtual override returns (string memory) {
        return "1.6.0-devnet";
    }

    function setJovian() external onlyDepositor {
        require(isIsthmus, "GasPriceOracle: Jovian can only be activated after Isthmus");
        require(!isJovian, "GasPriceOracle: Jovian already active");
        isJovian = true;
    }

    /// @inheritdoc GasPriceOracle
    function getOperatorFee(uint256 gasUsed) external view override returns (uint256) {
        if (!isIsthmus) return 0;
        uint256 variablePart = _saturatingProduct(gasUsed, L1_BLOCK.operatorFeeScalar());
        return _saturatingSum(isJovian ? _saturatingProduct(variablePart, 100) : variablePart / 1e6);
    }
}
