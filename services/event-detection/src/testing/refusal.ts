import { RequestFailed } from '@icosa/client'

/** Status and exception of a refused call. */
export async function refusal(call: Promise<unknown>): Promise<{ status: number; body: Record<string, string> }> {
  try {
    await call
  } catch (error) {
    if (error instanceof RequestFailed) return { status: error.status, body: error.body as Record<string, string> }
    throw error
  }
  throw new Error('It was not refused.')
}
