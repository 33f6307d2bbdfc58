import { type HeardPacket, startListener } from './listener.ts'

// A listener in a process of its own, whose clock no other work disturbs. Says its port, and when asked what it heard.
const { port, heard } = await startListener()
process.send?.(port)
process.on('message', () => process.send?.(heard.map(({ payload: _, ...rest }: HeardPacket) => rest)))
