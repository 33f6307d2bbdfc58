import { RequestFailed } from '@icosa/client'

/** How a call was refused: its status and the exception that clients see. */
export async function refusal(call: Promise<unknown>): Promise<{ status: number; body: Record<string, string> }> {
  try {
    await call
  } catch (error) {
    if (error instanceof RequestFailed) return { status: error.status, body: error.body as Record<string, string> }
    throw error
  }
  throw new Error('It was not refused.')
}
