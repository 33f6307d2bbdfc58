type Name<Slot extends string> = Slot extends `${infer Plain}=${string}` ? Plain : Slot

type Names<Path extends string> = Path extends `${string}{${infer Slot}}${infer Rest}`
  ? Name<Slot> | Names<Rest>
  : never

/** Parameters of an OpenAPI path: `Params<'/plans/{planId}'>` is `{ planId: string }`. */
export type Params<Path extends string> = { readonly [N in Names<Path>]: string }

const slot = /\{([^}=]+)(?:=[^}]+)?\}/g

export function paramNames(path: string): string[] {
  return Array.from(path.matchAll(slot), ([, name]) => name as string)
}

/** Fills in path parameters. A `{name=projects/*}` value keeps its slashes, any other is encoded whole. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(slot, (whole, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${path} needs ${name}`)
    return whole.includes('=') ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
}

/** The path as in the specification, which writes `{name}` for `{name=projects/*}`. */
export function plainPath(path: string): string {
  return path.replace(slot, '{$1}')
}
