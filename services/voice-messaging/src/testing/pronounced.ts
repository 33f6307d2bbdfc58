import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Returns the engine's pronunciation in IPA, without stress marks. */
export async function pronounced(ssml: string, voice: string): Promise<string> {
  const running = promisify(execFile)('espeak-ng', ['-m', '-b', '1', '-q', '--ipa', '-v', voice, '--stdin'])
  running.child.stdin?.end(ssml)
  const { stdout } = await running
  return stdout.replace(/[ˈˌ]/g, '').replace(/\s+/g, ' ').trim()
}
