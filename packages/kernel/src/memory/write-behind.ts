export interface WriteBehind {
  /** Schedules a write after a change. */
  soon(): void
  /** Writes now, after any write in progress. Never rejects. */
  flush(): Promise<void>
}

export interface WriteBehindOptions {
  readonly everyMs: number
  readonly write: () => Promise<void>
  readonly onError: (error: Error) => void
}

/** Write-behind buffer: periodic writes instead of one per request. Flush it on shutdown. */
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
