/** Emulated handles of a program. */
export class Handles {
  readonly #kinds = new Map<number, string>()
  #next = 0x40

  open(kind: string): number {
    this.#next += 4
    this.#kinds.set(this.#next, kind)
    return this.#next
  }

  close(handle: number): boolean {
    return this.#kinds.delete(handle)
  }

  kindOf(handle: number): string | undefined {
    return this.#kinds.get(handle)
  }
}
