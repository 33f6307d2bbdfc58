/** What came out of opening a certificate. */
export type Opened =
  | {
      readonly certificateThumbprint: string
      readonly certificateSubjectName: string
      readonly certificateExpirationDate: string
      readonly cpuMs: number
    }
  | { readonly reason: string }
  | 'tooSlow'

/** By which the process ends itself that has had its time of the processor: this is the signal for that. */
export const tooSlow = 'SIGVTALRM'
