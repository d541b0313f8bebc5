"""nghttpx, the proxy of nghttp2."""

import signal

from peers.proxies.middlebox import Middlebox, program


class Nghttpx(Middlebox):
    """nghttpx with an access log: `requests()` returns a line for each request in `FORMAT`."""

    FORMAT = ("$method $path te=$http_te content-type=$http_content_type timeout=$http_grpc_timeout"
              " agent=$http_user_agent alpn=$alpn")

    def command(self):
        self.seen = self.folder / "seen"
        certificate = f"""
private-key-file={self.certificate.key}
certificate-file={self.certificate.chain}""" if self.certificate else ""
        path = self.write("nghttpx.conf", f"""
frontend=127.0.0.1,{self.port}{"" if self.certificate else ";no-tls"}
backend=127.0.0.1,{self.backend};;proto=h2
workers=1
frontend-http2-max-concurrent-streams={self.streams}
frontend-http2-read-timeout={self.idle}
accesslog-file={self.seen}
accesslog-format={self.FORMAT}
errorlog-file=/dev/stderr
{certificate}
""")
        return [program("nghttpx"), f"--conf={path}"]

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def requests(self):
        return self.seen.read_text().splitlines()
