import type { ReactNode } from 'react'
import type { DayFigures, Home } from '../../../contract/dashboard/home-api.ts'
import { fill, plural } from '../../../contract/text.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { useFormatLocale, useMoney } from '../../kit/money.tsx'
import { type Localized, useLocale, useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import type { en } from './texts/en.ts'
import { TEXTS } from './texts/texts.ts'

/** The figures of today, each with the figure of the same weekday a week ago at this time. */
export function Today({ home }: { home: Home }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const day = useDayText('medium')
  const percent = usePercent()
  const { today, week_ago: before, sessions, currency } = home
  const field = (label: string, text: (figures: DayFigures) => string | null): [string, ReactNode] => {
    const value = text(before)
    return [
      label,
      <Figure key={label} text={text(today) ?? t.noTries}>
        {value !== null && fill(t.weekAgo, { value, day: day(before.day) })}
      </Figure>,
    ]
  }
  return (
    <Card title={t.today}>
      <Fields
        items={[
          field(t.volume, ({ approved_amount: amount }) => money(amount, currency)),
          field(t.net, ({ approved_amount: amount, refunded_amount: back }) => money(amount - back, currency)),
          field(t.payments, ({ approved }) => String(approved)),
          field(t.failed, ({ failed }) => String(failed)),
          field(t.approvalRate, ({ approved, failed }) =>
            approved + failed === 0 ? null : percent(approved / (approved + failed)),
          ),
          [t.sessions, <Figure key="sessions" text={fill(t.sessionsOf, sessions)} />],
        ]}
      />
      {home.failures.length > 0 && <Failures failures={home.failures} />}
    </Card>
  )
}

function Figure({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <>
      <div className="figure">{text}</div>
      {children && <div className="dimmed">{children}</div>}
    </>
  )
}

function Failures({ failures }: Pick<Home, 'failures'>) {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  return (
    <>
      <h3 className="label">{t.failures}</h3>
      <ul>
        {failures.map(({ code, count }) => (
          <li key={code}>{fill(plural(t.failureOf, count, locale), { reason: reasonOf(code, t) })}</li>
        ))}
      </ul>
    </>
  )
}

function reasonOf(code: string, t: Localized<typeof en>): string {
  const known = t[`code_${code}` as keyof typeof t]
  return typeof known === 'string' ? known : fill(t.codeOther, { code })
}

function usePercent(): (share: number) => string {
  const format = new Intl.NumberFormat(useFormatLocale(), { style: 'percent', maximumFractionDigits: 1 })
  return (share) => format.format(share)
}
