/** Attributes of a CloudEvent, in lower case as the standard requires. */
export interface Attributes {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly time: string
  readonly subject?: string
  readonly [extension: string]: string | undefined
}

export interface Event {
  readonly attributes: Attributes
  /** JSON. */
  readonly data: string
  /** Topic or channel that it was published to. */
  readonly topic?: string | undefined
  /** Under which it is stored: by default, its id. */
  readonly messageId?: string | undefined
  /** Events with the same key are delivered to a function one after the other. */
  readonly orderingKey?: string | undefined
}

/** HTTP binary mode: attributes as headers, data as body. */
export function toRequest({ attributes, data }: Event): {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
} {
  const headers = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[`ce-${name}`, encoded(value)] as const],
  )
  return {
    path: '/',
    headers: { ...Object.fromEntries(headers), 'ce-specversion': '1.0', 'content-type': 'application/json' },
    body: Buffer.from(data),
  }
}

/** Percent-encodes other than printable ASCII characters, as the standard requires. */
const encoded = (value: string) =>
  value.replace(/[^\x21\x23\x24\x26-\x7e]/gu, (character) => encodeURIComponent(character))

export const messageIdOf = ({ messageId, attributes }: Event) => messageId ?? attributes.id
