import type { Attempt } from './attempt.ts'
import type { TestHost } from './test-host.ts'

const tcp = (address: string, port: number) =>
  `socket(my $s, PF_INET, SOCK_STREAM, 0); connect($s, pack_sockaddr_in(${port}, inet_aton('${address}'))) && reached('${address}');`
const unix = (path: string) =>
  `socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, pack_sockaddr_un(${path})) && reached('unix');`
const wasConnected = (host: TestHost) => host.connections() > 0

/** Networks, and other ways to communicate. */
export const onSockets: readonly Attempt[] = [
  { name: "connect to the host's loopback", tries: ({ port }) => tcp('127.0.0.1', port), reached: wasConnected },
  { name: "connect to the host's address", tries: ({ port, address }) => tcp(address, port), reached: wasConnected },
  {
    name: 'send packets to the outside',
    tries: () => `socket(my $s, PF_INET, SOCK_DGRAM, 0); for my $to ('1.1.1.1', '169.254.169.254', '255.255.255.255') {
        reached($to) if send($s, 'x', 0, pack_sockaddr_in(53, inet_aton($to))) }`,
  },
  { name: 'connect to an abstract socket', tries: ({ abstract }) => unix(`"\\0${abstract}"`), reached: wasConnected },
  {
    name: 'connect to a socket in a bind',
    tries: () => unix(`'/offered/host.sock'`),
    reached: wasConnected,
    isolated: true, // some runtimes allow it, and connections are counted together
  },
  {
    name: 'open raw sockets',
    tries: () =>
      `reached('raw') if socket(my $r, PF_INET, SOCK_RAW, 1); reached('packet') if socket(my $p, 17, SOCK_RAW, 768);`,
  },
  {
    name: "see the host's network",
    tries: ({ port, abstract }) => `reached('interface') if slurp('/proc/net/dev') =~ /^\\s*(?!lo:)\\w+:/m;
      my $port = sprintf(':%04X ', ${port}); reached('port') if (slurp('/proc/net/tcp') . slurp('/proc/net/tcp6')) =~ /$port/;
      reached('unix') if slurp('/proc/net/unix') =~ /${abstract}/;`,
  },
]
