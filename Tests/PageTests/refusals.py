"""What the server refuses, asked by raw sockets: strangers, paths and links that lead out, and too much of anything."""

import collections
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time

from pages import check, served, sox


class Server:
    """A server that was started, and how its page and strangers talk to it."""

    def __init__(self, address):
        self.port = int(address.split(":")[2].split("/")[0])
        self.token = address.split("token=")[1]
        self.host = f"127.0.0.1:{self.port}"
        self.cookie = f"Cookie: scaleaudio-{self.port}={self.token}\r\n"
        self.own = f"Origin: http://{self.host}\r\nX-Scaleaudio: 1\r\nSec-Fetch-Site: same-origin\r\n"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def sent(self, *parts):
        """What is answered to bytes, until the server closes."""
        answer = b""
        with self.connect() as client:
            try:
                for part in parts:
                    client.sendall(part if isinstance(part, bytes) else part.encode())
                while more := client.recv(65536):
                    answer += more
            except ConnectionError:
                pass
        return answer.decode("latin-1")

    def answer(self, path, method="GET", host=None, cookie=None, more="", body=b""):
        host = f"Host: {self.host}\r\n" if host is None else host
        cookie = self.cookie if cookie is None else cookie
        length = f"Content-Length: {len(body)}\r\n" if method != "GET" else ""
        return self.sent(f"{method} {path} HTTP/1.1\r\n{host}{cookie}{more}{length}Connection: close\r\n\r\n", body)

    def status(self, *arguments, **more):
        return status(self.answer(*arguments, **more))


def status(answer):
    return int(answer.split(" ")[1]) if answer.startswith("HTTP/1.1 ") else 0


def expect(what, found, wanted):
    check(found == wanted, f"{what}: {found}, not {wanted}")


def strangers(server):
    """Without the key, by another name, or from another page nothing is answered or changed."""
    for path in ["/", "/page/main.js", "/api/files", "/api/events", f"/?token={'0' * 32}"]:
        expect(f"{path} without the key", server.status(path, cookie=""), 401)
    for host in ["evil.example", "", "localhost.:{0}", "[::ffff:127.0.0.1]:{0}", "[::1%25lo]:{0}", "0.0.0.0:{0}", "127.0.0.1:0{0}",
                 "user@127.0.0.1:{0}", "127.0.0.1:{0}, evil.example", "127.0.0.1", f"evil.example:{server.port}", f"127.0.0.1:{server.port + 1}", f"127.0.0.1.evil.example:{server.port}"]:
        host = host.format(server.port)
        expect(f"Host {host}", server.status("/api/session", host=f"Host: {host}\r\n"), 421)
    own = f"Host: {server.host}\r\n"
    for field, wanted in [(own + own, 421), ("", 421), (f"Host:\r\n {server.host}\r\n", 400), (f"Host : {server.host}\r\n", 400)]:
        expect(f"fields {field!r}", server.status("/api/session", host=field), wanted)
    job = b'{"files":"all","choice":{"factor":"2"}}'
    own = f"Origin: http://{server.host}\r\n"
    mark = "X-Scaleaudio: 1\r\n"
    for fields in ["", own, mark, "Origin: http://evil.example\r\n" + mark, "Origin: null\r\n" + mark,
                   own + mark + "Sec-Fetch-Site: cross-site\r\n"]:
        expect(f"a job asked for with {fields!r}", server.status("/api/jobs", "POST", more=fields, body=job), 403)
    for path in ["/api/files", "/audio/f1.wav", "/page/main.js"]:
        for site in ["cross-site", "same-site"]:
            expect(f"{path} for a page of {site}", server.status(path, more=f"Sec-Fetch-Site: {site}\r\n"), 403)
    answer = server.answer("/api/session", more="Origin: http://evil.example\r\n").lower()
    check("access-control" not in answer, "no other page may read an answer")


def framing(server, folder, listed):
    """A request whose end two readers could see in two places is refused, and so is a body in an unknown coding."""
    for target in [f"http://{server.host}/api/session", "http://evil.example/api/session", "*", "/api/session#x", "\\api\\session"]:
        expect(f"target {target}", server.status(target), 400)
    body = b'{"files":"all","choice":{"factor":"2"}}'
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    start = f"POST /api/jobs HTTP/1.1\r\nHost: {server.host}\r\n{server.cookie}{server.own}Connection: close\r\n"
    for coding, wanted in [("identity", 501), ("xchunked", 501), ("chunked, chunked", 400), ("\x0bchunked", 400), ("gzip, chunked", 501),
                           ("chunked\r\nTransfer-Encoding: identity", 400), (f"chunked\r\nContent-Length: {len(body)}", 400)]:
        expect(f"Transfer-Encoding {coding!r}", status(server.sent(f"{start}Transfer-Encoding: {coding}\r\n\r\n", chunks)), wanted)
    for size in [b"fffffffffffffffff\r\n", b"-1\r\n", b"0x5\r\nhello\r\n0\r\n\r\n", b"5\nhello\n0\n\n", b"5\r\nhello0\r\n\r\n"]:
        expect(f"chunk {size!r}", status(server.sent(f"{start}Transfer-Encoding: chunked\r\n\r\n", size)), 400)
    for count in ["+5", "5, 5", "5\r\nContent-Length: 6", "-1", "0x5", "99999999999999999999", "5 5"]:
        expect(f"Content-Length {count!r}", status(server.sent(f"{start}Content-Length: {count}\r\n\r\nhello")), 400)
    path = f"/audio/{listed['b.flac']}.wav?factor=0.1&method=linear"
    for asked, wanted in [("bytes=-0", 416), ("bytes=9223372036854775807-", 416), ("bytes=0-9223372036854775807", 206), ("bytes=-9223372036854775807", 206),
                          ("bytes=0-99999999999999999999", 200), ("bytes=5-2", 200), ("bytes=" + "0-1," * 3000, 200)]:
        expect(f"Range {asked[:40]}", server.status(path, "HEAD", more=f"Range: {asked}\r\n"), wanted)
    expect("a million brackets", server.status("/api/jobs", "POST", more=server.own, body=b"[" * (1 << 20)), 400)
    expect("the token where no page begins", server.status(f"/api/session?token={server.token}", cookie=""), 401)
    both = f"Cookie: scaleaudio-{server.port}=other; {server.cookie[8:]}"
    expect("a second cookie of the same name", server.status("/api/session", cookie=both), 200)
    check(sorted(os.listdir(folder)) == ["a.wav", "b.flac", "link.wav", "links"], f"nothing was written: {os.listdir(folder)}")


def ended(server):
    """The states of the files of the last job when it has ended."""
    for _ in range(600):
        job = json.loads(server.answer("/api/jobs").split("\r\n\r\n", 1)[1])["jobs"][-1]
        if job["state"] != "running":
            break
        time.sleep(0.05)
    return [file["state"] for file in job["files"]]


def ways_out(server, folder, listed):
    """No path and no link leads out of the folder, and only pictures are covers."""
    for path in ["/../etc/passwd", "/page/..%2f..%2fetc%2fpasswd", "/%2e%2e/etc/passwd", "/audio/../../secret.wav",
                 "/api/files/..%2fsecret.wav", "//etc/passwd", "/page/%00"]:
        expect(path, server.status(path), 400)
    check("link" not in "".join(listed), f"links are not listed: {list(listed)}")
    expect("a cover that is SVG", server.status(f"/api/files/{listed['b.flac']}/cover"), 404)
    (folder / "a.wav").unlink()
    (folder / "a.wav").symlink_to(folder.parent / "secret.wav")
    for path in [f"/audio/{listed['a.wav']}.wav", f"/api/files/{listed['a.wav']}/peaks"]:
        expect(f"{path}, a link by now", server.status(path), 422)
    body = f'{{"files":["{listed["a.wav"]}"],"choice":{{"factor":"2"}}}}'.encode()
    expect("a job on a file that is a link by now", server.status("/api/jobs", "POST", more=server.own, body=body), 202)
    expect("its files", ended(server), ["failed"])
    for name in ["..%2fx.wav", ".x.wav", "a%2fb.wav", "", "%00.wav", "x.wav%00", "a%0ab.wav", "a%1bb.wav", "a%c2%85b.wav", "a%e2%80%aevaw.exe"]:
        expect(f"an upload named {name}", server.status(f"/api/uploads?name={name}", "PUT", more=server.own, body=b"RIFF"), 400)
    expect("an upload that is no audio", server.status("/api/uploads?name=t.wav", "PUT", more=server.own, body=b"hello"), 422)
    check(sorted(os.listdir(folder)) == ["a.wav", "b.flac", "link.wav", "links"], f"nothing was written: {os.listdir(folder)}")


def bounds(server, listed):
    """Headers, bodies, connections, pages and sounds at once are bounded, and so is patience."""
    long = "x" * (1 << 20)
    expect("a header of 1 MB", status(server.sent(f"GET / HTTP/1.1\r\nHost: {server.host}\r\nX: {long}")), 431)
    expect("an address of 1 MB", status(server.sent(f"GET /{long} HTTP/1.1\r\n")), 431)
    huge = f"PUT /api/uploads?name=x.wav HTTP/1.1\r\nHost: {server.host}\r\n{server.cookie}{server.own}Content-Length: {5 << 30}\r\n\r\n"
    expect("an upload of 5 GB", status(server.sent(huge)), 413)
    begin = time.monotonic()
    expect("a client that sends half a line", status(server.sent("GET / HT")), 408)
    check(time.monotonic() - begin < 45, "a slow client is sent away")
    held = [server.connect() for _ in range(300)]
    expect("a request beside 300 silent connections", server.status("/api/session"), 200)
    for client in held:
        client.close()
    for path in ["/api/events", f"/audio/{listed['b.flac']}.wav?factor=1.0"]:
        clients, statuses = [], collections.Counter()
        for index in range(60):
            client = server.connect()
            client.sendall(f"GET {path}{index} HTTP/1.1\r\nHost: {server.host}\r\n{server.cookie}\r\n".replace("events" + str(index), "events").encode())
            clients.append(client)
        for client in clients:
            statuses[status(client.recv(20).decode())] += 1
        # Only now: one that leaves makes room for another.
        for client in clients:
            client.close()
        check(statuses[200] > 0 and statuses[503] > 0 and statuses.total() == statuses[200] + statuses[503],
              f"60 of {path} at once: some are refused: {statuses}")
        time.sleep(1)


def check_all(program):
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name, "in")
        folder.mkdir()
        sox(folder / "a.wav", "synth", "1", "pinknoise")
        sox(folder / "b.flac", "synth", "600", "pinknoise")
        sox(folder.parent / "secret.wav", "synth", "1", "pinknoise")
        drawing = folder.parent / "cover.svg"
        drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
        subprocess.run(["metaflac", f"--import-picture-from=3|image/png||4x4x24|{drawing}", folder / "b.flac"], check=True)
        (folder / "link.wav").symlink_to(folder.parent / "secret.wav")
        (folder / "links").symlink_to(folder.parent)
        with served(program, folder) as (address, _):
            server = Server(address)
            listed = files(server)
            strangers(server)
            framing(server, folder, listed)
            ways_out(server, folder, listed)
            bounds(server, listed)
    print(f"refusals: {time.monotonic() - start:.0f} s", flush=True)


def files(server):
    """The ids of the files, by name, as soon as they are listed."""
    for _ in range(200):
        answer = server.answer("/api/files").split("\r\n\r\n", 1)[1]
        found = json.loads(answer)["files"]
        if len(found) >= 2:
            break
        time.sleep(0.05)
    return {file["name"]: file["id"] for file in found}
