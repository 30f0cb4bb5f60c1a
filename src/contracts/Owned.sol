// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

/// @notice One owner, in the slot (51) where system configs of public chains keep theirs, so that tools that read
///         storage find it.
abstract contract Owned {
    /// @dev Slot 0: 0 before `initialize`, 1 after; the implementation itself is locked with 255.
    uint8 internal initialized;

    uint256[50] private gapBeforeOwner;

    address public owner;

    uint256[49] private gapAfterOwner;

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    modifier onlyOwner() {
        require(msg.sender == owner, "SystemConfig: caller is not the owner");
        _;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "SystemConfig: new owner is the zero address");
        _setOwner(newOwner);
    }

    function renounceOwnership() external onlyOwner {
        _setOwner(address(0));
    }

    function _setOwner(address newOwner) internal {
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }
}
