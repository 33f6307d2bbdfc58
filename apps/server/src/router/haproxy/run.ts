import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { print } from '@icosa/module'
import type { Config } from '../../config.ts'
import { askedToStop, outliveOutages } from '../../process.ts'
import { sayInLog } from '../../say.ts'
import { rulesIn } from '../rules.ts'
import { followedAt } from '../run.ts'
import { haproxyPublisher } from './publish.ts'

export interface HaproxyCommand {
  readonly folder: string
  readonly address: { readonly host: string; readonly port: number }
  readonly isFollowing: boolean
}

/** Writes the files for HAProxy; if following, keeps them and the running process current until a termination signal. */
export async function configureHaproxy(config: Config, directoryUrl: string, command: HaproxyCommand): Promise<void> {
  const { trustedProxies } = config
  const folder = resolve(command.folder)
  const say = command.isFollowing ? sayInLog : print
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const publish = haproxyPublisher({ ...command, folder, trustedProxies, rules: await rulesIn(config.env), say })
  await using followed = await followedAt(directoryUrl, { file: join(folder, 'routes'), say, publish })
  await followed.refresh()
  say(`Wrote ${folder}/haproxy.cfg for ${followed.table.cells.length} cells: haproxy -W -f ${folder}/haproxy.cfg`)
  if (!command.isFollowing) return
  outliveOutages(sayInLog)
  await askedToStop(sayInLog)
}
