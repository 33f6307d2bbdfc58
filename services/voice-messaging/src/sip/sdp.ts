import { isIPv4 } from 'node:net'

/** Payload types of G.711. */
export const payloadTypes = { muLaw: 0, aLaw: 8 } as const
export type PayloadType = (typeof payloadTypes)[keyof typeof payloadTypes]

/** Address and codec of the callee's audio. */
export interface MediaTarget {
  readonly address: string
  readonly port: number
  readonly payloadType: PayloadType
}

export function offer(address: string, port: number, id: number): string {
  const lines = [
    ...['v=0', `o=- ${id} ${id} IN IP4 ${address}`, 's=-', `c=IN IP4 ${address}`, 't=0 0'],
    `m=audio ${port} RTP/AVP ${payloadTypes.muLaw} ${payloadTypes.aLaw}`,
    ...['a=rtpmap:0 PCMU/8000', 'a=rtpmap:8 PCMA/8000', 'a=ptime:20', 'a=sendrecv'],
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

/** Parses the callee's answer; undefined if it accepts no audio or no supported codec. */
export function readAnswer(body: string): MediaTarget | undefined {
  const [session = '', ...media] = body.split(/\r?\n(?=m=)/)
  const audio = media.find((section) => section.startsWith('m=audio '))
  const [, port, formats] = /^m=audio (\d{1,5})(?:\/\d+)? RTP\/AVP((?: \d{1,3})+)/.exec(audio ?? '') ?? []
  const address = connectionOf(audio) ?? connectionOf(session)
  const payloadType = formats
    ?.trim()
    .split(' ')
    .map(Number)
    .find((format): format is PayloadType => format === payloadTypes.muLaw || format === payloadTypes.aLaw)
  if (address === undefined || payloadType === undefined) return undefined
  const number = Number(port)
  return number > 0 && number <= 65_535 ? { address, port: number, payloadType } : undefined
}

function connectionOf(part: string | undefined): string | undefined {
  const address = /(?:^|\n)c=IN IP4 ([\d.]+)/.exec(part ?? '')?.[1]
  return address !== undefined && isIPv4(address) && address !== '0.0.0.0' ? address : undefined
}
