import { printable } from '../../document/words/shortened.ts';
import { deviationSentences } from '../../report/views/user-shares.ts';
import type { Shown } from '../model/shown.ts';
import { type UserBar, type UserShare, userPicture } from '../model/user-bars.ts';

/** Who gets what: a bar for each group of users, and one legend with all that they get. */
export function Users({ shown }: { readonly shown: Shown }) {
  const { bars, legend, late } = userPicture(shown);
  return (
    <section class="card users" aria-labelledby="users-title">
      <h2 id="users-title">Users get</h2>
      <div class="bars" aria-hidden="true">
        {bars.map((bar, place) => (
          <Bar key={bar.title} bar={bar} place={place} legend={legend} />
        ))}
      </div>
      <ul class="answers">
        {legend.map(({ key, tone, mark, words, told, from }) => (
          <li key={key} class={tone}>
            <span class="swatch" aria-hidden="true" />
            <span>
              <b>
                <span class="effect-mark" aria-hidden="true">
                  {mark}
                </span>
                {printable(words)}
              </b>{' '}
              {printable(told)} <small>{printable(from)}</small>
            </span>
          </li>
        ))}
      </ul>
      {late !== '' && <p class="note">{printable(late)}</p>}
      {deviationSentences(shown.result).map((words) => (
        <p key={words} class="note">
          May differ: {printable(words)}
        </p>
      ))}
    </section>
  );
}

interface BarProps {
  readonly bar: UserBar;
  /** Its number. */
  readonly place: number;
  readonly legend: readonly UserShare[];
}

/** The legend says the same, so nobody has to read the bar. */
function Bar({ bar: { title, sizes }, place, legend }: BarProps) {
  return (
    <div class="bar-line">
      {title !== '' && <span class="bar-title">{printable(title)}</span>}
      <div class="bar">
        {legend.map(({ key, tone, mark, words, shares }, at) => {
          const size = sizes[at] ?? 0;
          return (
            size > 0 && (
              <span key={key} class={`bar-part ${tone}`} style={{ flexGrow: size }}>
                <span class="bar-words">
                  {shares[place]} {mark} {printable(words)}
                </span>
              </span>
            )
          );
        })}
      </div>
    </div>
  );
}
