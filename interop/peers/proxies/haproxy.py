"""HAProxy, from Debian."""

import signal

from peers.proxies.middlebox import Middlebox, program


class HAProxy(Middlebox):
    def command(self):
        how = "proto h2"
        if self.certificate:
            both = self.write(
                "both.pem", self.certificate.chain.read_text() + self.certificate.key.read_text())
            how = f"ssl crt {both} alpn h2"
        path = self.write("haproxy.cfg", f"""
global
  log stdout format raw local0
  tune.h2.max-concurrent-streams {self.streams}
  stats socket {self.folder}/s expose-fd listeners
defaults
  mode http
  log global
  option httplog
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive {self.idle}s
frontend front
  bind 127.0.0.1:{self.port} {how}
  default_backend back
backend back
  server server 127.0.0.1:{self.backend} proto h2
""")
        return [program("haproxy"), "-W", "-f", path]

    def reload(self):
        self.process.send_signal(signal.SIGUSR2)
