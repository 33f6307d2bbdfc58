import { clockSkewMs } from '@icosa/kernel'

/** Times that the protocol library reads from the machine's clock itself, in seconds. */
interface Times {
  readonly iat?: number | undefined
  readonly exp?: number | undefined
}

const shifted = ({ iat, exp }: Times, bySeconds: number) => ({
  ...(iat !== undefined && { iat: iat + bySeconds }),
  ...(exp !== undefined && { exp: exp + bySeconds }),
})

const skewSeconds = () => Math.round(clockSkewMs() / 1_000)

/** As all nodes see them, whose machines have other clocks. */
export const toSystemTime = (times: Times) => shifted(times, -skewSeconds())
/** As this machine's clock would have read them. */
export const toMachineTime = (times: Times) => shifted(times, skewSeconds())
