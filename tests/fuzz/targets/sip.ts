import { challengeIn, digest } from '../../../services/voice-messaging/src/sip/digest.ts'
import {
  addressIn,
  headerOf,
  headersOf,
  isResponse,
  readMessage,
  readUri,
} from '../../../services/voice-messaging/src/sip/message.ts'
import { readAnswer } from '../../../services/voice-messaging/src/sip/sdp.ts'
import { backTo } from '../../../services/voice-messaging/src/sip/wire.ts'
import type { Target } from '../target.ts'

const headers = [
  'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK77;rport',
  'From: "A" <sip:a@example.com>;tag=1',
  'To: <sip:b@example.com>;tag=2',
  'Call-ID: 7@example.com',
  'CSeq: 1 INVITE',
]
const sdp = 'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8\r\n'

export const target: Target = {
  seeds: [
    ['INVITE sip:b@example.com SIP/2.0', ...headers, 'Content-Type: application/sdp', '', sdp].join('\r\n'),
    ['SIP/2.0 200 OK', ...headers, 'Contact: <sip:b@192.0.2.9:5070;transport=udp>', '', sdp].join('\r\n'),
    [
      'SIP/2.0 401 Unauthorized',
      ...headers,
      'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth,auth-int", algorithm=MD5',
      '',
      '',
    ].join('\r\n'),
  ],
  dictionary: [
    '\r\n',
    '\r\n ',
    ';tag=',
    'v: ',
    'm=audio 1 RTP/AVP 0',
    'c=IN IP4 ',
    '<sip:',
    '>',
    '"',
    '\\"',
    'Digest ',
    ',',
  ],
  refusals: [],
  maxBytes: 16_384,
  run(bytes) {
    const message = readMessage(bytes)
    if (!message) return
    backTo({ ...message, uri: '' }, { host: '192.0.2.1', port: 5060 })
    readUri(addressIn(headerOf(message, 'contact') ?? ''))
    readAnswer(message.body)
    const challenge = isResponse(message) && challengeIn(headersOf(message, 'www-authenticate'))
    if (challenge) digest(challenge, { user: 'u', password: 'p' }, { method: 'INVITE', uri: 'sip:b' })
  },
}
