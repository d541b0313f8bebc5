/// Whether a trip is being followed.
public typealias TripModelState = FollowingState

/// Why a trip currently cannot be refreshed.
public typealias TripFailure = RefreshFailure
