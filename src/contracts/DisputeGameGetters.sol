// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

interface PublishedGame {
    function l2BlockNumber() external view returns (uint256);
    function gameDuration() external view returns (uint64);
    function createdAt() external view returns (uint64);
}

/// @title DisputeGameGetters
/// @notice A game implementation that adds getters of later releases to a published one. The published one answers any
///         unknown call with nothing, which libraries do not take for a missing function. Everything else runs the
///         published code, in the storage and with the arguments of the game itself.
contract DisputeGameGetters {
    /// @notice The published implementation.
    address public immutable published;

    constructor(address _published) {
        published = _published;
    }

    /// @notice The release whose interface the published game has. Its own version, 0.9.0, was never on a public chain,
    ///         and op-challenger, which chooses its interface by the version, takes it for one of a later release.
    function version() external pure returns (string memory) {
        return "0.8.1";
    }

    function l2SequenceNumber() external view returns (uint256) {
        return PublishedGame(address(this)).l2BlockNumber();
    }

    /// @notice Seconds that each side of the game has.
    function maxClockDuration() public view returns (uint64) {
        return PublishedGame(address(this)).gameDuration() / 2;
    }

    /// @notice Unix seconds at which the clock of an unchallenged game runs out.
    function expectedResolution() external view returns (uint64) {
        return PublishedGame(address(this)).createdAt() + maxClockDuration();
    }

    receive() external payable { }

    fallback() external payable {
        address target = published;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if success { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
