import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure, privateFile, privateFolder } from '@icosa/kernel'

/** Appends lines to the file of a log group, or writes them to standard output. Durable when it resolves. */
export async function appendLines(
  { group, file }: { readonly group: string; readonly file: string | undefined },
  lines: readonly string[],
): Promise<void> {
  const text = lines.map((line) => `${line}\n`).join('')
  if (file === undefined) {
    process.stdout.write(lines.map((line) => `{"logGroup":${JSON.stringify(group)},"event":${line}}\n`).join(''))
    return
  }
  try {
    await mkdir(dirname(file), privateFolder)
    await using handle = await open(file, 'a+', privateFile.mode)
    await handle.appendFile((await endsInLine(handle)) ? text : `\n${text}`)
    await handle.datasync()
  } catch (cause) {
    throw new Failure('unavailable', `The log file ${file} cannot be written: ${(cause as Error).message}.`, { cause })
  }
}

/** Returns false if a writer was killed in the middle of a line. */
async function endsInLine(handle: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return true
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}
