/** Why an emulation ended. `limit` says that there would have been more. */
export interface Stopped {
  readonly why: 'exit' | 'limit' | 'fault' | 'unsupported'
  readonly text: string
}
