/** A CloudEvent: who says that what has happened, and whatever else its kind tells. All in lower case, as the standard has it. */
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
  readonly topic?: string | undefined
}

/** As HTTP carries it: the attributes are headers, the data is the body. */
export function toRequest({ attributes, data }: Event): {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
} {
  const named = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[`ce-${name}`, encoded(value)] as const],
  )
  return {
    path: '/',
    headers: { ...Object.fromEntries(named), 'ce-specversion': '1.0', 'content-type': 'application/json' },
    body: Buffer.from(data),
  }
}

/** Headers are ASCII: the standard wants the rest, and what means something in them, percent-encoded. */
const encoded = (value: string) => value.replace(/[^\x21\x23\x24\x26-\x7e]/gu, (one) => encodeURIComponent(one))
