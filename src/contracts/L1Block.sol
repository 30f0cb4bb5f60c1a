// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

/// @title L1Block
/// @notice What L2 knows of its L1 origin, written by the L1-attributes deposit of every block. The execution client
///         reads these slots directly for fees, so their layout is consensus.
contract L1Block {
    error NotDepositor();

    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    /// @dev Slot 0.
    uint64 public number;
    uint64 public timestamp;
    /// @dev Slots 1 and 2.
    uint256 public basefee;
    bytes32 public hash;
    /// @dev Slot 3.
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    /// @dev Slots 4 to 7.
    bytes32 public batcherHash;
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    uint256 public blobBaseFee;
    /// @dev Slot 8.
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;

    modifier onlyDepositor() {
        if (msg.sender != DEPOSITOR_ACCOUNT) revert NotDepositor();
        _;
    }

    function version() external pure virtual returns (string memory) {
        return "1.6.0-devnet";
    }

    function isCustomGasToken() external pure returns (bool) {
        return false;
    }

    function gasPayingToken() external pure returns (address, uint8) {
        return (0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE, 18);
    }

    function gasPayingTokenName() external pure returns (string memory) {
        return "Ether";
    }

    function gasPayingTokenSymbol() external pure returns (string memory) {
        return "ETH";
    }

    /// @notice L1 attributes, bedrock to delta.
    function setL1BlockValues(
        uint64 _number,
        uint64 _timestamp,
        uint256 _basefee,
        bytes32 _hash,
        uint64 _sequenceNumber,
        bytes32 _batcherHash,
        uint256 _l1FeeOverhead,
        uint256 _l1FeeScalar
    )
        external
        onlyDepositor
    {
        number = _number;
        timestamp = _timestamp;
        basefee = _basefee;
        hash = _hash;
        sequenceNumber = _sequenceNumber;
        batcherHash = _batcherHash;
        l1FeeOverhead = _l1FeeOverhead;
        l1FeeScalar = _l1FeeScalar;
    }

    /// @notice L1 attributes, ecotone to holocene. Arguments are packed behind the selector: [4..8) base fee scalar,
    ///         [8..12) blob base fee scalar, [12..20) sequence number, [20..28) timestamp, [28..36) number, [36..68)
    ///         base fee, [68..100) blob base fee, [100..132) hash, [132..164) batcher hash.
    function setL1BlockValuesEcotone() external onlyDepositor {
        _setEcotone();
    }

    /// @notice L1 attributes of isthmus: ecotone's, then [164..168) operator fee scalar, [168..176) operator fee
    ///         constant.
    function setL1BlockValuesIsthmus() external onlyDepositor {
        _setEcotone();
        assembly {
            sstore(operatorFeeConstant.slot, shr(160, calldataload(164)))
        }
    }

    /// @dev Each packed run of calldata is the slot's value as it stands: the first fields are the slot's highest bits.
    function _setEcotone() internal {
        assembly {
            sstore(sequenceNumber.slot, shr(128, calldataload(4)))
            sstore(number.slot, shr(128, calldataload(20)))
            sstore(basefee.slot, calldataload(36))
            sstore(blobBaseFee.slot, calldataload(68))
            sstore(hash.slot, calldataload(100))
            sstore(batcherHash.slot, calldataload(132))
        }
    }
}
