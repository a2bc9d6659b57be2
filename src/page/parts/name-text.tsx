import { Fragment } from 'preact';

/** A name that breaks between its labels where it is too long for a line, and reads from left to right whatever is in it. */
export function NameText({ name }: { readonly name: string }) {
  const pieces = name.split(/(?<=\.)/);
  return (
    <bdi>
      {pieces.map((piece, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}
