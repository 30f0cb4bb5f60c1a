// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { ConfigUpdates } from "./ConfigUpdates.sol";
import { Owned } from "./Owned.sol";

interface Pausable {
    function paused() external view returns (bool);
}

/// @title SystemConfig
/// @notice The L1 side of the rollup's configuration, with a setter and an event for every update type.
///         Getters, setters and storage slots are called as on public chains. Stands behind a proxy.
contract SystemConfig is Owned, ConfigUpdates {
    struct ResourceConfig {
        uint32 maxResourceLimit;
        uint8 elasticityMultiplier;
        uint8 baseFeeMaxChangeDenominator;
        uint32 minimumBaseFee;
        uint32 systemTxMaxGas;
        uint128 maximumBaseFee;
    }

    struct Addresses {
        address l1CrossDomainMessenger;
        address l1ERC721Bridge;
        address l1StandardBridge;
        address l2OutputOracle;
        address disputeGameFactory;
        address optimismPortal;
        address optimismMintableERC20Factory;
        address superchainConfig;
    }

    string public constant version = "3.0.0-devnet";

    /// @notice Rollup nodes read this slot with eth_getStorageAt.
    bytes32 public constant UNSAFE_BLOCK_SIGNER_SLOT = keccak256("systemconfig.unsafeblocksigner");
    bytes32 public constant L1_CROSS_DOMAIN_MESSENGER_SLOT =
        bytes32(uint256(keccak256("systemconfig.l1crossdomainmessenger")) - 1);
    bytes32 public constant L1_ERC_721_BRIDGE_SLOT = bytes32(uint256(keccak256("systemconfig.l1erc721bridge")) - 1);
    bytes32 public constant L1_STANDARD_BRIDGE_SLOT = bytes32(uint256(keccak256("systemconfig.l1standardbridge")) - 1);
    bytes32 public constant L2_OUTPUT_ORACLE_SLOT = bytes32(uint256(keccak256("systemconfig.l2outputoracle")) - 1);
    bytes32 public constant DISPUTE_GAME_FACTORY_SLOT =
        bytes32(uint256(keccak256("systemconfig.disputegamefactory")) - 1);
    bytes32 public constant OPTIMISM_PORTAL_SLOT = bytes32(uint256(keccak256("systemconfig.optimismportal")) - 1);
    bytes32 public constant OPTIMISM_MINTABLE_ERC20_FACTORY_SLOT =
        bytes32(uint256(keccak256("systemconfig.optimismmintableerc20factory")) - 1);
    bytes32 public constant BATCH_INBOX_SLOT = bytes32(uint256(keccak256("systemconfig.batchinbox")) - 1);
    bytes32 public constant START_BLOCK_SLOT = bytes32(uint256(keccak256("systemconfig.startBlock")) - 1);

    uint64 internal constant MAX_GAS_LIMIT = 500_000_000;

    uint256 public overhead;
    /// @notice Fee scalars: a plain number before ecotone, afterwards
    ///         `1 << 248 | blobbasefeeScalar << 32 | basefeeScalar`.
    uint256 public scalar;
    bytes32 public batcherHash;
    uint64 public gasLimit;
    uint32 public basefeeScalar;
    uint32 public blobbasefeeScalar;
    ResourceConfig internal resources;
    uint32 public eip1559Denominator;
    uint32 public eip1559Elasticity;
    uint32 public operatorFeeScalar;
    uint64 public operatorFeeConstant;
    uint64 public minBaseFee;
    uint16 public daFootprintGasScalar;
    uint256 public l2ChainId;
    address public superchainConfig;

    constructor() {
        initialized = type(uint8).max;
    }

    /// @notice Called once, through the proxy. Emits no event: the values are those of rollup.json at genesis.
    function initialize(
        address _owner,
        bytes32 _batcherHash,
        uint64 _gasLimit,
        address _unsafeBlockSigner,
        ResourceConfig memory _resources,
        address _batchInbox,
        uint256 _l2ChainId,
        Addresses memory _addresses
    )
        external
    {
        require(initialized == 0, "SystemConfig: already initialized");
        initialized = 1;
        _setOwner(_owner);
        batcherHash = _batcherHash;
        gasLimit = _gasLimit;
        l2ChainId = _l2ChainId;
        superchainConfig = _addresses.superchainConfig;
        _setResources(_resources);
        _store(UNSAFE_BLOCK_SIGNER_SLOT, _unsafeBlockSigner);
        _store(BATCH_INBOX_SLOT, _batchInbox);
        _store(L1_CROSS_DOMAIN_MESSENGER_SLOT, _addresses.l1CrossDomainMessenger);
        _store(L1_ERC_721_BRIDGE_SLOT, _addresses.l1ERC721Bridge);
        _store(L1_STANDARD_BRIDGE_SLOT, _addresses.l1StandardBridge);
        _store(L2_OUTPUT_ORACLE_SLOT, _addresses.l2OutputOracle);
        _store(DISPUTE_GAME_FACTORY_SLOT, _addresses.disputeGameFactory);
        _store(OPTIMISM_PORTAL_SLOT, _addresses.optimismPortal);
        _store(OPTIMISM_MINTABLE_ERC20_FACTORY_SLOT, _addresses.optimismMintableERC20Factory);
    }

    // ---- setters: one event each, for derivation ----

    function setBatcherHash(bytes32 _batcherHash) external onlyOwner {
        batcherHash = _batcherHash;
        _announce(UpdateType.BATCHER, abi.encode(_batcherHash));
    }

    /// @notice Fee parameters as chains before ecotone read them. The top byte is the version of the scalar's encoding.
    function setGasConfig(uint256 _overhead, uint256 _scalar) external onlyOwner {
        require(_scalar >> 248 == 0, "SystemConfig: scalar exceeds max");
        overhead = _overhead;
        scalar = _scalar;
        _announce(UpdateType.FEE_SCALARS, abi.encode(_overhead, _scalar));
    }

    /// @notice Fee parameters from ecotone on.
    function setGasConfigEcotone(uint32 _basefeeScalar, uint32 _blobbasefeeScalar) external onlyOwner {
        basefeeScalar = _basefeeScalar;
        blobbasefeeScalar = _blobbasefeeScalar;
        scalar = (1 << 248) | (uint256(_blobbasefeeScalar) << 32) | _basefeeScalar;
        _announce(UpdateType.FEE_SCALARS, abi.encode(overhead, scalar));
    }

    function setGasLimit(uint64 _gasLimit) external onlyOwner {
        require(_gasLimit >= minimumGasLimit(), "SystemConfig: gas limit too low");
        require(_gasLimit <= MAX_GAS_LIMIT, "SystemConfig: gas limit too high");
        gasLimit = _gasLimit;
        _announce(UpdateType.GAS_LIMIT, abi.encode(_gasLimit));
    }

    function setUnsafeBlockSigner(address _unsafeBlockSigner) external onlyOwner {
        _store(UNSAFE_BLOCK_SIGNER_SLOT, _unsafeBlockSigner);
        _announce(UpdateType.UNSAFE_BLOCK_SIGNER, abi.encode(_unsafeBlockSigner));
    }

    function setEIP1559Params(uint32 _denominator, uint32 _elasticity) external onlyOwner {
        require(_denominator >= 1, "SystemConfig: denominator must be >= 1");
        require(_elasticity >= 1, "SystemConfig: elasticity must be >= 1");
        eip1559Denominator = _denominator;
        eip1559Elasticity = _elasticity;
        _announce(UpdateType.EIP_1559_PARAMS, abi.encode((uint256(_denominator) << 32) | _elasticity));
    }

    function setOperatorFeeScalars(uint32 _operatorFeeScalar, uint64 _operatorFeeConstant) external onlyOwner {
        operatorFeeScalar = _operatorFeeScalar;
        operatorFeeConstant = _operatorFeeConstant;
        _announce(
            UpdateType.OPERATOR_FEE_PARAMS, abi.encode((uint256(_operatorFeeScalar) << 64) | _operatorFeeConstant)
        );
    }

    function setMinBaseFee(uint64 _minBaseFee) external onlyOwner {
        minBaseFee = _minBaseFee;
        _announce(UpdateType.MIN_BASE_FEE, abi.encode(_minBaseFee));
    }

    function setDAFootprintGasScalar(uint16 _daFootprintGasScalar) external onlyOwner {
        daFootprintGasScalar = _daFootprintGasScalar;
        _announce(UpdateType.DA_FOOTPRINT_GAS_SCALAR, abi.encode(_daFootprintGasScalar));
    }

    /// @notice The market for deposits; read by the portal, of no interest to derivation.
    function setResourceConfig(ResourceConfig memory _resources) external onlyOwner {
        _setResources(_resources);
    }

    // ---- getters ----

    /// @notice The gas that deposits and the L1-attributes transaction of one block may need.
    function minimumGasLimit() public view returns (uint64) {
        return uint64(resources.maxResourceLimit) + resources.systemTxMaxGas;
    }

    function maximumGasLimit() external pure returns (uint64) {
        return MAX_GAS_LIMIT;
    }

    function resourceConfig() external view returns (ResourceConfig memory) {
        return resources;
    }

    function unsafeBlockSigner() external view returns (address) {
        return _load(UNSAFE_BLOCK_SIGNER_SLOT);
    }

    function batchInbox() external view returns (address) {
        return _load(BATCH_INBOX_SLOT);
    }

    function l1CrossDomainMessenger() external view returns (address) {
        return _load(L1_CROSS_DOMAIN_MESSENGER_SLOT);
    }

    function l1ERC721Bridge() external view returns (address) {
        return _load(L1_ERC_721_BRIDGE_SLOT);
    }

    function l1StandardBridge() external view returns (address) {
        return _load(L1_STANDARD_BRIDGE_SLOT);
    }

    function l2OutputOracle() external view returns (address) {
        return _load(L2_OUTPUT_ORACLE_SLOT);
    }

    function disputeGameFactory() external view returns (address) {
        return _load(DISPUTE_GAME_FACTORY_SLOT);
    }

    function optimismPortal() external view returns (address) {
        return _load(OPTIMISM_PORTAL_SLOT);
    }

    function optimismMintableERC20Factory() external view returns (address) {
        return _load(OPTIMISM_MINTABLE_ERC20_FACTORY_SLOT);
    }

    /// @notice The first L1 block with events of this chain.
    function startBlock() external view returns (uint256) {
        return uint256(_loadWord(START_BLOCK_SLOT));
    }

    function paused() external view returns (bool) {
        return Pausable(superchainConfig).paused();
    }

    function isCustomGasToken() external pure returns (bool) {
        return false;
    }

    function gasPayingToken() external pure returns (address, uint8) {
        return (0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE, 18);
    }

    // ---- internals ----

    function _setResources(ResourceConfig memory _resources) internal {
        require(
            _resources.minimumBaseFee <= _resources.maximumBaseFee,
            "SystemConfig: min base fee must be less than max base"
        );
        require(
            _resources.baseFeeMaxChangeDenominator > 1, "SystemConfig: denominator must be larger than 1"
        );
        require(_resources.elasticityMultiplier > 0, "SystemConfig: elasticity multiplier cannot be 0");
        require(
            uint256(_resources.maxResourceLimit) + _resources.systemTxMaxGas <= gasLimit,
            "SystemConfig: gas limit too low"
        );
        resources = _resources;
    }

    function _store(bytes32 slot, address value) internal {
        assembly {
            sstore(slot, value)
        }
    }

    function _load(bytes32 slot) internal view returns (address) {
        return address(uint160(uint256(_loadWord(slot))));
    }

    function _loadWord(bytes32 slot) internal view returns (bytes32 value) {
        assembly {
            value := sload(slot)
        }
    }
}
