"""The service notes.v1.Notes of the documentation on grpcio, with two notes."""

import contextlib
from concurrent import futures

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

NOTES = {"n1": "buy tea", "n2": "drink tea"}


class Notes:
    def __init__(self, protoset):
        """`protoset` is a FileDescriptorSet of notes.proto."""
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(protoset).file:
            pool.AddSerializedFile(file.SerializeToString())
        self.waits_for_cancellation = False
        """Whether a search ends only when its caller cancels it."""
        self._type = lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"notes.v1.{name}"))
        self.note, self.summary = self._type("Note"), self._type("Summary")

    def handler(self):
        unary, stream = grpc.unary_unary_rpc_method_handler, grpc.unary_stream_rpc_method_handler
        return grpc.method_handlers_generic_handler("notes.v1.Notes", {
            "Get": self._method(unary, self.get, "GetRequest"),
            "Search": self._method(stream, self.search, "SearchRequest"),
            "Upload": self._method(grpc.stream_unary_rpc_method_handler, self.upload, "Note"),
            "Chat": self._method(grpc.stream_stream_rpc_method_handler, self.chat, "Note")})

    def _method(self, kind, function, request):
        return kind(function, self._type(request).FromString, lambda response: response.SerializeToString())

    def get(self, request, context):
        context.send_initial_metadata([("x-user", "anna"), ("x-user", "bert"), ("x-trace-bin", b"\1\2")])
        context.set_trailing_metadata([("x-cost", "3")])
        if request.id not in NOTES:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such note")
        return self.note(id=request.id, text=NOTES[request.id])

    def search(self, request, context):
        for id, text in NOTES.items():
            if request.word in text:
                yield self.note(id=id, text=text)
        if self.waits_for_cancellation:
            ended = futures.Future()
            context.add_callback(lambda: ended.set_result(None))
            ended.result()

    def upload(self, notes, context):
        return self.summary(notes=sum(1 for _ in notes))

    def chat(self, notes, context):
        for note in notes:
            yield self.note(id=note.id, text=f"noted: {note.text}")


@contextlib.contextmanager
def serving_notes(protoset, certificate):
    """Runs the service with TLS; yields it and its port."""
    notes = Notes(protoset)
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    server.add_generic_rpc_handlers((notes.handler(),))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials(
        [(certificate.key.read_bytes(), certificate.chain.read_bytes())]))
    server.start()
    try:
        yield notes, port
    finally:
        server.stop(grace=None).wait()
