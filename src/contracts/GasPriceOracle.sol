// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { FastLZ } from "./FastLZ.sol";
import { L1Block } from "./L1Block.sol";

/// @title GasPriceOracle
/// @notice The L1 data fee and the operator fee as contracts and wallets can ask for them. The execution client
///         computes the same from the signed transaction; here a transaction comes unsigned, so 68 bytes stand for its
///         signature.
contract GasPriceOracle {
    uint256 public constant DECIMALS = 6;

    address internal constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;
    L1Block internal constant L1_BLOCK = L1Block(0x4200000000000000000000000000000000000015);

    uint256 internal constant SIGNATURE_BYTES = 68;

    /// @dev Linear regression from FastLZ length to the bytes that a transaction costs in a batch, times 1e6.
    int256 internal constant COST_INTERCEPT = -42_585_600;
    int256 internal constant COST_FASTLZ_COEFFICIENT = 836_500;
    int256 internal constant MIN_TRANSACTION_SIZE = 100_000_000;

    bool public isEcotone;
    bool public isFjord;
    bool public isIsthmus;

    modifier onlyDepositor() {
        require(msg.sender == DEPOSITOR_ACCOUNT, "GasPriceOracle: only the depositor account can set a flag");
        _;
    }

    function version() external pure virtual returns (string memory) {
        return "1.4.0-devnet";
    }

    // ---- flags, set by the upgrade deposits ----

    function setEcotone() external onlyDepositor {
        require(!isEcotone, "GasPriceOracle: Ecotone already active");
        isEcotone = true;
    }

    function setFjord() external onlyDepositor {
        require(isEcotone, "GasPriceOracle: Fjord can only be activated after Ecotone");
        require(!isFjord, "GasPriceOracle: Fjord already active");
        isFjord = true;
    }

    function setIsthmus() external onlyDepositor {
        require(isFjord, "GasPriceOracle: Isthmus can only be activated after Fjord");
        require(!isIsthmus, "GasPriceOracle: Isthmus already active");
        isIsthmus = true;
    }

    // ---- fees ----

    /// @param data an unsigned, RLP-encoded transaction
    /// @return wei
    function getL1Fee(bytes memory data) external view returns (uint256) {
        if (isFjord) return _fjordFee(FastLZ.compressedLength(data) + SIGNATURE_BYTES);
        if (isEcotone) return (_calldataGas(data) * _ecotonePrice()) / (16 * 10 ** DECIMALS);
        return
            ((_calldataGas(data) + L1_BLOCK.l1FeeOverhead()) * l1BaseFee() * L1_BLOCK.l1FeeScalar()) / 10 ** DECIMALS;
    }

    /// @notice A fee that an unsigned transaction of this many bytes will practically never exceed; far cheaper than
    ///         `getL1Fee`.
    function getL1FeeUpperBound(uint256 unsignedBytes) external view returns (uint256) {
        require(isFjord, "GasPriceOracle: getL1FeeUpperBound only supports Fjord");
        uint256 signedBytes = unsignedBytes + SIGNATURE_BYTES;
        return _fjordFee(signedBytes + signedBytes / 255 + 16);
    }

    /// @param data an unsigned, RLP-encoded transaction
    /// @return L1 gas, as receipts give it in l1GasUsed
    function getL1GasUsed(bytes memory data) external view returns (uint256) {
        if (isFjord) return (_estimatedSize(FastLZ.compressedLength(data) + SIGNATURE_BYTES) * 16) / 10 ** DECIMALS;
        if (isEcotone) return _calldataGas(data);
        return _calldataGas(data) + L1_BLOCK.l1FeeOverhead();
    }

    /// @return wei for an amount of L2 gas
    function getOperatorFee(uint256 gasUsed) external view virtual returns (uint256) {
        if (!isIsthmus) return 0;
        return _saturatingSum(_saturatingProduct(gasUsed, L1_BLOCK.operatorFeeScalar()) / 1e6);
    }

    // ---- the parameters ----

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function decimals() external pure returns (uint256) {
        return DECIMALS;
    }

    function overhead() external view returns (uint256) {
        require(!isEcotone, "GasPriceOracle: overhead() is deprecated");
        return L1_BLOCK.l1FeeOverhead();
    }

    function scalar() external view returns (uint256) {
        require(!isEcotone, "GasPriceOracle: scalar() is deprecated");
        return L1_BLOCK.l1FeeScalar();
    }

    function l1BaseFee() public view returns (uint256) {
        return L1_BLOCK.basefee();
    }

    function blobBaseFee() public view returns (uint256) {
        return L1_BLOCK.blobBaseFee();
    }

    function baseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.baseFeeScalar();
    }

    function blobBaseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.blobBaseFeeScalar();
    }

    // ---- internals ----

    function _saturatingProduct(uint256 a, uint256 b) internal pure returns (uint256) {
        unchecked {
            uint256 product = a * b;
            return a == 0 || product / a == b ? product : type(uint256).max;
        }
    }

    /// @dev Adds the operator fee's constant.
    function _saturatingSum(uint256 variablePart) internal view returns (uint256) {
        unchecked {
            uint256 sum = variablePart + L1_BLOCK.operatorFeeConstant();
            return sum >= variablePart ? sum : type(uint256).max;
        }
    }

    /// @dev Wei per 16e6 units of calldata gas.
    function _ecotonePrice() internal view returns (uint256) {
        return uint256(baseFeeScalar()) * 16 * l1BaseFee() + uint256(blobBaseFeeScalar()) * blobBaseFee();
    }

    function _estimatedSize(uint256 fastLzBytes) internal pure returns (uint256) {
        int256 size = COST_INTERCEPT + COST_FASTLZ_COEFFICIENT * int256(fastLzBytes);
        return uint256(size < MIN_TRANSACTION_SIZE ? MIN_TRANSACTION_SIZE : size);
    }

    function _fjordFee(uint256 fastLzBytes) internal view returns (uint256) {
        return (_estimatedSize(fastLzBytes) * _ecotonePrice()) / 10 ** (DECIMALS * 2);
    }

    function _calldataGas(bytes memory data) internal pure returns (uint256 gas) {
        for (uint256 i = 0; i < data.length; i++) {
            gas += data[i] == 0 ? 4 : 16;
        }
        gas += SIGNATURE_BYTES * 16;
    }
}
