import { badArgument } from '../shapes/failures.ts'

/** Reads an object of a file field by field, and tracks which fields were read. */
export class Fields {
  readonly #at: string
  readonly #value: Readonly<Record<string, unknown>>
  readonly #read = new Set<string>()
  readonly #checked = new Set<string>()
  /** All objects of the file. */
  readonly #all: Fields[]

  constructor(value: unknown, at: string, all: Fields[] = []) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) badArgument(`${at} is not an object.`)
    this.#value = value as Record<string, unknown>
    this.#at = at
    this.#all = all
    all.push(this)
  }

  inside(value: unknown, at: string): Fields {
    return new Fields(value, at, this.#all)
  }

  at(name: string): string {
    return this.#at === '' ? name : `${this.#at}.${name}`
  }

  has(name: string): boolean {
    this.#checked.add(name)
    return this.#value[name] !== undefined && this.#value[name] !== null
  }

  any(name: string): unknown {
    this.#read.add(name)
    return this.#value[name]
  }

  text(name: string, defaultValue?: string): string {
    const value = this.any(name)
    if (value === undefined || value === null) {
      if (defaultValue !== undefined) return defaultValue
      return badArgument(`${this.at(name)} is missing.`)
    }
    if (typeof value !== 'string') badArgument(`${this.at(name)} is not a text.`)
    return value as string
  }

  /** A name must not be empty. */
  name(name = 'name'): string {
    const value = this.text(name)
    if (value.trim() === '' || value.length > 200) badArgument(`${this.at(name)} is not a text of 1 to 200 characters.`)
    return value
  }

  flag(name: string, defaultValue: boolean): boolean {
    const value = this.any(name) ?? defaultValue
    if (typeof value !== 'boolean') badArgument(`${this.at(name)} is neither true nor false.`)
    return value as boolean
  }

  whole(name: string): number {
    const value = this.any(name)
    if (!Number.isSafeInteger(value)) badArgument(`${this.at(name)} is not a whole number.`)
    return value as number
  }

  /** Missing lists are empty. */
  list(name: string): unknown[] {
    const value = this.any(name) ?? []
    if (!Array.isArray(value)) badArgument(`${this.at(name)} is not a list.`)
    return value as unknown[]
  }

  objects(name: string): Fields[] {
    return this.list(name).map((value, index) => this.inside(value, `${this.at(name)}[${index}]`))
  }

  texts(name: string): string[] {
    return this.list(name).map((value, index) =>
      typeof value === 'string' ? value : badArgument(`${this.at(name)}[${index}] is not a text.`),
    )
  }

  /** Members that were not read: stored, and exported again. */
  rest(): { readonly extra?: Readonly<Record<string, unknown>> } {
    const unread = this.#unread()
    return unread.length > 0 ? { extra: Object.fromEntries(unread) } : {}
  }

  #unread(): [string, unknown][] {
    return Object.entries(this.#value).filter(([name]) => !this.#read.has(name))
  }

  /** Paths of unknown members anywhere in the file, each once: `utterances[].note`. */
  unknown(): string[] {
    const paths = this.#all.flatMap((fields) => {
      const unread = fields.#unread().filter(([name]) => !fields.#checked.has(name))
      return unread.map(([name]) => fields.at(name).replaceAll(/\[\d+\]/g, '[]'))
    })
    return [...new Set(paths)]
  }
}
