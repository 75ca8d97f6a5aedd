package dev.outbox.example;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;

/** Answers 400 with the names of the fields that were wrong, whether they could not be read or were not valid. */
@RestControllerAdvice
class InvalidRequestAdvice extends ResponseEntityExceptionHandler {

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException failure, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = failure.getBody();
        problem.setProperty(
                "errors",
                failure.getBindingResult().getFieldErrors().stream()
                        .map(error -> new InvalidField(
                                error.getField(), Objects.requireNonNullElse(error.getDefaultMessage(), "not valid")))
                        .sorted(Comparator.comparing(InvalidField::field))
                        .toList());
        return handleExceptionInternal(failure, problem, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException failure, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, "The body is not the JSON that was expected.");
        if (failure.getCause() instanceof JacksonException cause
                && !cause.getPath().isEmpty()) {
            String field = cause.getPath().get(0).getPropertyName();
            problem.setProperty("errors", List.of(new InvalidField(field, "could not be read")));
        }
        return handleExceptionInternal(failure, problem, headers, status, request);
    }

    record InvalidField(String field, String message) {}
}
