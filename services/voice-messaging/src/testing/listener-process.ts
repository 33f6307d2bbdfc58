import { type ReceivedPacket, startListener } from './listener.ts'

// A listener in its own process, whose timing other work does not disturb. Sends its port, and on request its packets.
const { port, packets } = await startListener()
process.send?.(port)
process.on('message', () => process.send?.(packets.map(({ payload: _, ...header }: ReceivedPacket) => header)))
