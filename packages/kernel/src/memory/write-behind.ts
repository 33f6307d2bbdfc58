export interface WriteBehind {
  /** Something has changed: it is written in a while. */
  soon(): void
  /** Writes now, after what is being written. Never rejects. */
  flush(): Promise<void>
}

export interface WriteBehindOptions {
  readonly everyMs: number
  readonly write: () => Promise<void>
  readonly onError: (error: Error) => void
}

/** Writes what a node has noted in memory now and then, so that a request costs no write. To be flushed at the stop. */
export function writeBehind({ everyMs, write, onError }: WriteBehindOptions): WriteBehind {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write).catch(onError)
    return writing
  }

  return {
    flush,
    soon() {
      timer ??= setTimeout(() => void flush(), everyMs).unref()
    },
  }
}
