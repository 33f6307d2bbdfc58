/** Why an emulation ended. `limit`: the program would have continued. */
export interface Stopped {
  readonly why: 'exit' | 'limit' | 'fault' | 'unsupported'
  readonly text: string
}
