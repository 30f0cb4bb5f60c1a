// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

/// @notice The event by which the L1 system configuration reaches derivation (specification: System Config, log
///         event-based updates).
abstract contract ConfigUpdates {
    enum UpdateType {
        BATCHER,
        FEE_SCALARS,
        GAS_LIMIT,
        UNSAFE_BLOCK_SIGNER,
        EIP_1559_PARAMS,
        OPERATOR_FEE_PARAMS,
        MIN_BASE_FEE,
        DA_FOOTPRINT_GAS_SCALAR
    }

    /// @notice Version of every event; derivation halts on another one.
    uint256 public constant VERSION = 0;

    event ConfigUpdate(uint256 indexed version, UpdateType indexed updateType, bytes data);

    /// @dev Every payload is ABI words: derivation checks the exact length.
    function _announce(UpdateType updateType, bytes memory data) internal {
        emit ConfigUpdate(VERSION, updateType, data);
    }
}
