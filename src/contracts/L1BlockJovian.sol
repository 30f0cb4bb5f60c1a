// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { L1Block } from "./L1Block.sol";

/// @title L1Block from jovian on
contract L1BlockJovian is L1Block {
    /// @dev Slot 8, above the operator fee's fields.
    uint16 public daFootprintGasScalar;

    function version() external pure virtual override returns (string memory) {
        return "1.7.0-devnet";
    }

    /// @notice L1 attributes of jovian: isthmus's, then [176..178) DA footprint gas scalar.
    function setL1BlockValuesJovian() external onlyDepositor {
        _setEcotone();
        assembly {
            // The scalar stands last in calldata and highest in the slot.
            let footprint := shr(240, calldataload(176))
            sstore(operatorFeeConstant.slot, or(shl(96, footprint), shr(160, calldataload(164))))
        }
    }
}
