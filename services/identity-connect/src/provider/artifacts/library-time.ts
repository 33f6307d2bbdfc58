import { clockSkewMs } from '@icosa/kernel'

/** Times that the library takes from the machine's clock, in seconds. */
interface Times {
  readonly iat?: number | undefined
  readonly exp?: number | undefined
}

const shifted = ({ iat, exp }: Times, bySeconds: number) => ({
  ...(iat !== undefined && { iat: iat + bySeconds }),
  ...(exp !== undefined && { exp: exp + bySeconds }),
})

const skewSeconds = () => Math.round(clockSkewMs() / 1_000)

/** Converts to the time shared by all nodes. */
export const toSystemTime = (times: Times) => shifted(times, -skewSeconds())
/** Converts to the time of this machine's clock. */
export const toMachineTime = (times: Times) => shifted(times, skewSeconds())
