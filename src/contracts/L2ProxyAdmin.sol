// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { L2ContractsManager } from "./L2ContractsManager.sol";

/// @title L2ProxyAdmin
/// @notice The proxy admin of L2 with upgrades of all predeploys in one call. Everything else runs the published code,
///         in the storage of the predeploy itself.
contract L2ProxyAdmin {
    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    /// @notice The published implementation.
    address public immutable published;

    constructor(address _published) {
        published = _published;
    }

    /// @notice Makes the upgrade of a contracts manager in the name of this admin.
    function upgradePredeploys(address manager) external {
        require(msg.sender == DEPOSITOR_ACCOUNT, "L2ProxyAdmin: only the depositor account upgrades predeploys");
        _delegate(manager, abi.encodeCall(L2ContractsManager.upgrade, ()));
    }

    fallback() external payable {
        _delegate(published, msg.data);
    }

    function _delegate(address target, bytes memory data) private {
        assembly {
            let success := delegatecall(gas(), target, add(data, 32), mload(data), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if success { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
