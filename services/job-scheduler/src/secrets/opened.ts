/** Result of opening a certificate. */
export type Opened =
  | {
      readonly certificateThumbprint: string
      readonly certificateSubjectName: string
      readonly certificateExpirationDate: string
      readonly cpuMs: number
    }
  | { readonly reason: string }
  | 'tooSlow'

/** Signal with which the process exits when it exceeds its CPU time. */
export const tooSlow = 'SIGVTALRM'
