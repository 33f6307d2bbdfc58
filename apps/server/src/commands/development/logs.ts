import { type FileHandle, open, stat, watch } from 'node:fs/promises'
import { basename } from 'node:path'
import { printable, suggestion, text, UsageError, whole } from '@icosa/module'
import type { Command } from '../../command.ts'
import { logIn } from '../../dev/instance.ts'
import { isOf, readLogLine, shownLine } from '../../dev/log-line.ts'

export const logs: Command = {
  name: 'logs',
  usage: 'logs [--tail N] [--service NAME] [--follow] [--json]',
  summary:
    'Print the log of `icosa dev` on the data folder, including requests; with --follow, also new lines as they are written. --json: the raw lines of the file.',
  flags: {
    tail: { type: 'string' },
    service: { type: 'string' },
    follow: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  audited: false,
  async run({ flags, config: { dataDirectory } }) {
    const service = await serviceIn(text(flags, 'service'))
    const shown = (line: string): string[] => {
      const read = readLogLine(line)
      if (service !== undefined && !(read && isOf(read, service))) return []
      return [read && flags.json !== true ? shownLine(read, process.stdout) : printable(line)]
    }
    const file = logIn(dataDirectory)
    const log = await openLog(file, dataDirectory)
    const before = (await log.lines()).flatMap(shown)
    const tail = text(flags, 'tail') === undefined ? before.length : whole(flags, 'tail', 20)
    write(tail === 0 ? [] : before.slice(-tail))
    if (flags.follow !== true) return log.close()
    for await (const { filename } of watch(dataDirectory))
      if (filename === basename(file)) write((await log.lines()).flatMap(shown))
  },
}

const write = (lines: readonly string[]) => process.stdout.write(lines.map((line) => `${line}\n`).join(''))

async function serviceIn(name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined
  const { serviceNames } = await import('../../services.ts')
  const names = [...serviceNames, 'platform']
  if (!names.includes(name)) throw new UsageError(`There is no service '${name}'.${suggestion(name, names)}`)
  return name
}

/** Reads a growing log file, across rotation. */
async function openLog(path: string, folder: string) {
  const opened = () =>
    open(path).catch(() => {
      throw new UsageError(`There is no log in ${folder}: \`icosa dev\` writes one; --data names another folder.`)
    })
  let file = await opened()
  let rest = ''
  let decoder = new TextDecoder()

  async function unread(from: FileHandle): Promise<string> {
    let all = ''
    for (let read = await from.read(); read.bytesRead > 0; read = await from.read())
      all += decoder.decode(read.buffer.subarray(0, read.bytesRead), { stream: true })
    return all
  }
  return {
    close: () => file.close(),
    /** Returns the complete lines not read yet. */
    async lines(): Promise<string[]> {
      let words = rest + (await unread(file))
      const next = await stat(path).catch(() => undefined)
      if (next && next.ino !== (await file.stat()).ino) {
        words += await unread(file) // written just before the rotation
        await file.close()
        file = await opened()
        decoder = new TextDecoder()
        words += await unread(file)
      }
      const lines = words.split('\n')
      rest = lines.pop() ?? ''
      return lines
    },
  }
}
