// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

interface Proxy {
    function upgradeTo(address implementation) external;
}

/// @title L2ContractsManager
/// @notice The implementations of one upgrade. The proxy admin runs `upgrade` by a delegate call.
contract L2ContractsManager {
    Proxy public constant L1_BLOCK = Proxy(0x4200000000000000000000000000000000000015);
    Proxy public constant GAS_PRICE_ORACLE = Proxy(0x420000000000000000000000000000000000000F);

    address public immutable l1Block;
    address public immutable gasPriceOracle;

    constructor(address _l1Block, address _gasPriceOracle) {
        l1Block = _l1Block;
        gasPriceOracle = _gasPriceOracle;
    }

    function version() external pure returns (string memory) {
        return "1.0.0-devnet";
    }

    function upgrade() external {
        L1_BLOCK.upgradeTo(l1Block);
        GAS_PRICE_ORACLE.upgradeTo(gasPriceOracle);
    }
}
