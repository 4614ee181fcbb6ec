import { useCallback, useId } from "react";
import { useTranslation } from "react-i18next";
import type { PhotoField } from "#contract/accounts/verification.ts";
import { Button, classNames, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import type { RowProblem } from "./prepare-photo.ts";

type PhotoRowProps = {
  readonly field: PhotoField;
  readonly name: string;
  readonly photo: Blob | null;
  readonly problem: RowProblem | null;
  readonly isWorking: boolean;
  readonly onShoot: () => void;
  readonly onFile: (file: File) => void;
};

/** One photo: what it shows, whether it will do, and both ways to take it. */
export function PhotoRow({ field, name, photo, problem, isWorking, onShoot, onFile }: PhotoRowProps) {
  const { t } = useTranslation("verification");
  const id = useId();
  const state = isWorking ? "working" : photo === null ? "missing" : "ready";
  return (
    <li className="w-check-photo">
      <span className={classNames("w-check-photo__picture", photo !== null && "w-check-photo__picture--taken")}>
        {photo === null ? <Icon name={field === "facePhoto" ? "person" : "scan"} /> : <Picture of={photo} />}
      </span>
      <div className="w-check-photo__text">
        <p className="w-check-photo__name">{name}</p>
        <p
          role="status"
          className={classNames(
            "w-check-photo__state",
            problem !== null && !isWorking && "w-check-photo__state--wrong",
          )}
        >
          {problem !== null && !isWorking ? t(`photo.problem.${problem}`) : t(`photo.${state}`)}
        </p>
      </div>
      {photo !== null && problem === null && !isWorking ? (
        <span className="w-check-photo__done">
          <Icon name="check" />
        </span>
      ) : null}
      <div className="w-check-photo__ways">
        <Button variant="soft" onClick={onShoot} busyLabel={isWorking ? t("photo.working") : null}>
          {t(photo === null ? "photo.take" : "photo.retake")} <VisuallyHidden>{name}</VisuallyHidden>
        </Button>
        <input
          id={id}
          className="w-check-photo__file"
          type="file"
          accept="image/jpeg,image/png,image/webp"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            // The same file may be chosen again.
            event.currentTarget.value = "";
            if (file !== undefined) onFile(file);
          }}
        />
        <label htmlFor={id} className="w-check-photo__choose">
          {t("photo.upload")} <VisuallyHidden>{name}</VisuallyHidden>
        </label>
      </div>
    </li>
  );
}

/** Its URL is made when the picture comes onto the screen and given back when it leaves, each time that it does. */
function Picture({ of: photo }: { readonly of: Blob }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      image.src = URL.createObjectURL(photo);
      return () => URL.revokeObjectURL(image.src);
    },
    [photo],
  );
  return <img ref={show} alt="" />;
}
