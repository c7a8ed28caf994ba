import type { CreatePreview } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import type { CallError } from '../../kit/call.ts'
import { FREQUENCY_TEXTS } from '../../kit/frequency-texts/frequency-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day, useDayText } from '../../kit/time.tsx'
import { Was } from '../../kit/was.tsx'
import { Notice } from './notice.tsx'
import { TEXTS } from './texts/texts.ts'

interface Figures {
  preview: CreatePreview | undefined
  /** Figures that the person had agreed to, shown struck through. */
  former?: CreatePreview | null
  error: CallError | null
}

/** Effects of creating the subscription, as computed by the server. */
export function CreateFigures({ preview, former = null, error }: Figures) {
  const t = useTexts(TEXTS)
  if (error) return <Refusal error={error} title={t.checkFields} />
  if (!preview) return <p className="dimmed">{t.previewWaits}</p>
  return (
    <div className="stack" aria-live="polite">
      <ExistingCustomer of={preview} />
      <FirstText of={preview} former={former} />
      <Amounts of={preview} former={former} />
      <Dates of={preview} />
      <Letters of={preview} />
    </div>
  )
}

interface Of {
  of: CreatePreview
}

/** Notice that the e-mail address belongs to an existing customer, who would get the subscription. */
function ExistingCustomer({ of: { existing_customer: existing } }: Of) {
  const t = useTexts(TEXTS)
  if (existing === null) return null
  return (
    <Notice tone="warn" text={fill(t.existingCustomer, { email: existing.email })}>
      <AppLink to={`customers/${existing.id}`}>{existing.name ?? existing.email}</AppLink>
    </Notice>
  )
}

interface OfAndFormer extends Of {
  former: CreatePreview | null
}

function FirstText({ of, former }: OfAndFormer) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const dayText = useDayText()
  const text = ({ first, charged_now, start_date, currency }: CreatePreview) =>
    fill({ charge: t.firstCharge, verify: t.firstVerify, link: t.firstLink }[first], {
      amount: money(charged_now, currency.toUpperCase()),
      day: dayText(start_date),
    })
  return (
    <strong>
      <Was former={former ? text(former) : undefined} now={text(of)} />
    </strong>
  )
}

function Amounts({ of, former }: OfAndFormer) {
  const t = useTexts(TEXTS)
  const words = useTexts(FREQUENCY_TEXTS)
  const money = useMoney()
  const { frequency, surcharge_waived } = of
  const text = (part: keyof CreatePreview['amounts']) => {
    const amount = ({ amounts, currency }: CreatePreview) => money(amounts[part], currency.toUpperCase())
    return <Was former={former ? amount(former) : undefined} now={amount(of)} />
  }
  return (
    <>
      <dl className="figures">
        <dt>{t.frequency}</dt>
        <dd>{words[frequency]}</dd>
        <dt>{t.base}</dt>
        <dd>{text('base')}</dd>
        <dt>{t.tax}</dt>
        <dd>{text('tax')}</dd>
        <dt>{t.surcharge}</dt>
        <dd>{text('surcharge')}</dd>
        <dt className="sum">{t.eachBill}</dt>
        <dd className="sum">{text('total')}</dd>
      </dl>
      {surcharge_waived !== null && <p>{surcharge_waived === 'funding' ? t.waivedFunding : t.waivedPlace}</p>}
    </>
  )
}

function Dates({ of: { next_dates, last_date, plan_total, currency } }: Of) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  return (
    <div>
      <div className="label">{t.nextDates}</div>
      <ul className="plain-list">
        {next_dates.map((day) => (
          <li key={day}>
            <Day of={day} />
          </li>
        ))}
      </ul>
      {last_date !== null && plan_total !== null && (
        <dl className="figures">
          <dt>{t.lastDate}</dt>
          <dd>
            <Day of={last_date} />
          </dd>
          <dt>{t.planTotal}</dt>
          <dd>{money(plan_total, currency.toUpperCase())}</dd>
        </dl>
      )}
    </div>
  )
}

function Letters({ of: { letters } }: Of) {
  const t = useTexts(TEXTS)
  return (
    <div>
      <div className="label">{t.lettersTo}</div>
      {letters.length === 0 && <p className="dimmed">{t.noLettersGo}</p>}
      <ul className="plain-list">
        {letters.map(({ kind, to, addresses }) => (
          <li key={`${kind} ${to}`}>{fill(t[`letter_${kind}`], { to: addresses.join(', ') })}</li>
        ))}
      </ul>
    </div>
  )
}
