interface Result {
  readonly passed: string[]
  readonly warnings: string[]
  readonly notApplicable: Map<string, string[]>
}

/** Collects the results of each plan. */
export function resultsOf(plans: readonly string[]) {
  const results = new Map<string, Result>(
    plans.map((plan) => [plan, { passed: [], warnings: [], notApplicable: new Map() }]),
  )
  const resultOf = (plan: string): Result => {
    const result = results.get(plan)
    if (!result) throw new Error(`there is no plan ${plan}`)
    return result
  }
  return {
    passed(plan: string, name: string, warning?: string) {
      resultOf(plan).passed.push(name)
      if (warning) resultOf(plan).warnings.push(`${name}: ${warning}`)
    },
    notApplicable(plan: string, name: string, reason: string) {
      const { notApplicable } = resultOf(plan)
      notApplicable.set(reason, [...(notApplicable.get(reason) ?? []), name])
    },
    table: () => [...results].map(([plan, result]) => row(plan, result)).join('\n'),
  }
}

function row(plan: string, { passed, warnings, notApplicable }: Result): string {
  const skipped = [...notApplicable.values()].flat().length
  const lines = [`${plan.padEnd(40)} ${String(passed.length).padStart(3)} passed, ${skipped} not applicable`]
  for (const [reason, names] of notApplicable) lines.push(`    ${reason}: ${names.join(', ')}`)
  for (const warning of warnings) lines.push(`    warning: ${warning}`)
  return lines.join('\n')
}
