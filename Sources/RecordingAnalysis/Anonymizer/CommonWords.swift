/// The words of error messages that identify nobody: those of Fleet Engine, gRPC's libraries, Envoy
/// and tripwire.
enum CommonWords {
  /// In lower case.
  static let all: Set<String> = Set(
    """
    = a about above accept accepted access address addresses after again agree alert all allowed \
    allows already an and another answer answered answering answers any api application \
    application/grpc are argument as asked asks assigned at attempt authentication authority \
    authorization available backend backends bad batch be because been before begins begun being \
    below billing block broke broken but by byte bytes call called caller calling came canceled \
    cancelled cancelling cannot caused certificate certificates change changed channel channel's \
    character client client's clients close closed closes closing code common complete completed \
    compressed compression configured conflict conflicts connect connected connecting connection \
    connections consumer contain contains content-type context control cookie could count create \
    created credential credentials current currently cut data deadline debug decode decoded \
    decompressed delayed delete deleted deliver deliveries delivery denied desc deserializing \
    destination dial dialing did different differs disabled disconnect disconnect/reset dns does \
    doesn down draining dropoff due duplicate duration during early empty enable enabled \
    encountered end end-of-stream end_group ended ends engine environment's error event exceed \
    exceeded exceeds exception exhausted exist existing exists expected expired failed failing \
    fails failure field fields file find finish first flag fleet flow for forbidden format found \
    frame frames free from full gateway get given go goaway goes going gone greater group grpc \
    grpc-encoding grpc-status grpc-timeout had half-closed handshake has have header headers \
    healthy host how http http2 https i/o iam id identity ids illegal immediate immutable in \
    incorrect information internal invalid invoked io is issued issuer it its json jwt keepalive \
    key kib kind large larger last later latest lead least length less like likely limit list \
    listens lists local locally location login long longer look lookup loop lost made makes \
    malformed many match matches maximum may memory message metadata method metric mid-frame \
    middle minimum minute missing more most must name names needed needs neither nested network \
    never new no nobody none nor not notify nowhere null number oauth occurred octets of off \
    offset often ok on once one ones only open opened operation or other our out outcome outcomes \
    outside over overflow page parameter parent parse parsing passed password path peer peer's per \
    permission pickup ping pings pipe plaintext planned please point positive precondition prior \
    problem process processing produced project proto protocol provided provider proxy proxy's \
    quota range rate reached read reading ready reason receive received refused rejected remaining \
    remote removed request requested requests required requires reset resolution resolve resolved \
    resolver resource resources responded response retried retry revocation revoked role root \
    route rst rules said say says scope scopes second seconds security see send sending sent \
    serializing server server's service services session set settings shipment shipments short \
    should shown shutdown signature signed size so socket something speak speaks start_group \
    started starts status stop stopped stops stream streams string sub such supported supports \
    switch system t tag take takes task tasks tcp team temporarily terminated termination text \
    text/html than that the their then there they this thousands thread through time timed timeout \
    tls to token too took tracking trailers transport tried trip trips truncated trusted try twice \
    type unable unassigned unauthenticated unauthorized unavailable unexpected unimplemented unix \
    unknown unmarshal unmarshaling unmarshalling unreachable unspecified unsupported until up \
    update updated upstream us use used user uses using valid value values varint vehicle vehicles \
    verification verify version view violated wait waiting wants was watchdog way waypoint \
    waypoints went were what when where which while whose will window windows wire-format with \
    within without would write wrong x509 yet you your zero
    """.split(separator: " ").map(String.init))

  /// Common words that are also names of people and places.
  static let alsoNames: Set<String> = [
    "close", "down", "early", "field", "fields", "frame", "group", "key", "lead", "long", "may",
    "page", "parent", "peer", "pipe", "prior", "read", "root", "short", "text", "way", "will",
  ]

  /// Well-known names, with their case.
  static let kept: Set<String> = [
    "ACK", "API", "Bad", "CONNECT", "CallOptions", "Cloud", "DNS", "Debug", "ENHANCE_YOUR_CALM",
    "EOF", "ETA", "Engine", "Exceeded", "Failed", "Fleet", "GOAWAY", "Gateway", "Google", "HTTP",
    "HTTP/1", "HTTP/1.1", "HTTP/2", "HTTPS", "HTTP_1_1_REQUIRED", "IAM", "ID", "IDs",
    "INADEQUATE_SECURITY", "IOException", "IP", "JSON", "JWT", "Jwt", "Maps", "OAuth", "OK",
    "RBAC", "RPC", "RST_STREAM", "SETTINGS", "Service", "SubConns", "TCP", "TLS", "Text",
    "Timeout", "TransientFailure", "URL", "UTF-8", "Unavailable", "fleetengine.googleapis.com",
    "fleetengine.googleapis.com/DeliveryVehicle", "fleetengine.googleapis.com/Task",
    "fleetengine.googleapis.com/TaskTrackingInfo", "fleetengine.googleapis.com/Trip",
    "fleetengine.googleapis.com/Vehicle", "gRPC", "googleapis.com", "shutdownNow",
  ]

  /// Words that a harmless number follows, such as an HTTP status.
  static let numbered: Set<String> = ["HTTP", "byte", "server", "status"]
}
